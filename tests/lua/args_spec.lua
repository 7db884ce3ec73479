local args = require "hbdx.args"

local COMMAND = { name = "x", usage = "", summary = "A command.", options = {
  { name = "format", value = "F", choices = { "text", "json" }, help = "h" },
  { name = "param", value = "P", many = true, help = "h" },
  { name = "output", short = "o", value = "FILE", help = "h" },
  { name = "fast", help = "h" } } }

describe("args", function()
  it("reads long, short and joined options among operands", function()
    local given, operands = args.parse(COMMAND,
      { "a", "--format=json", "--param", "x=1", "-ofile", "--param=y=2", "--fast", "b", "-v" })
    assert.same({ format = "json", param = { "x=1", "y=2" }, output = "file", fast = true,
                  verbose = true }, given)
    assert.same({ "a", "b" }, operands)
  end)

  it("ends options at -- and takes - as an operand", function()
    local _, operands = args.parse(COMMAND, { "-", "--", "--fast" })
    assert.same({ "-", "--fast" }, operands)
  end)

  for words, expected in pairs {
    ["--fromat json"] = "did you mean %-%-format",
    ["--format xml"] = "takes text, json, not 'xml'$",
    ["--format jsn"] = "takes text, json, not 'jsn': did you mean json%?$",
    ["--output"] = "needs FILE",
    ["--fast=1"] = "takes no value",
    ["-z"] = "has no option %-z",
  } do
    it("refuses " .. words, function()
      local list = {}
      for word in words:gmatch("%S+") do list[#list + 1] = word end
      local given, message = args.parse(COMMAND, list)
      assert.is_nil(given)
      assert.matches(expected, message)
    end)
  end

  it("shows every option in the help, in 80 columns", function()
    local help = args.help(COMMAND)
    for _, option in ipairs(COMMAND.options) do
      assert.truthy(help:find("--" .. option.name, 1, true))
    end
    for line in help:gmatch("[^\n]+") do assert.is_true(#line <= 80, line) end
  end)
end)
