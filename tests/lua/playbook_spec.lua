local playbook = require "hbdx.playbook"
local scratch = require "scratch"

local HEAD = [[return { id = "ID", title = "T", category = "c", symptoms = {}, needs = {}, ]]

local function write(id, text)
  local path = scratch.folder()
  local file = assert(io.open(path .. "/" .. id .. ".lua", "w"))
  file:write(text)
  file:close()
  return path .. "/" .. id .. ".lua", path
end

local function load_text(text, id)
  local path, folder = write(id or "mine", (text:gsub("ID", id or "mine", 1)))
  local book, message = playbook.load(path)
  os.execute("rm -r " .. folder)
  return book, message
end

describe("playbook", function()
  it("loads a good one", function()
    local book = assert(load_text(HEAD .. "diagnose = function() end }"))
    assert.equal("mine", book.id)
    assert.equal("warning", book.severity)
  end)

  for text, expected in pairs {
    [HEAD .. "diagnos = function() end }"] = "unknown field 'diagnos': did you mean 'diagnose'",
    [HEAD .. "diagnose = 1 }"] = "'diagnose' must be a function",
    [(HEAD .. "diagnose = pcall }"):gsub('"ID"', '"other"')] = "but the file is called 'mine'",
    [HEAD
      .. "params = { { name = 'x', type = 'int', default = 1, help = '' } }, diagnose = pcall }"]
      = "params%[1%]%.type",
    [HEAD .. "params = { { name = 'x', type = 'integer', default = 'a', help = '' } }, "
      .. "diagnose = pcall }"]
      = "params%[1%]%.default",
    [(HEAD .. "diagnose = pcall }"):gsub("needs = {}", "needs = { 'cache.evicted' }")]
      = "no metric is called 'cache.evicted'",
    ["return 7"] = "returns one table",
    ["return {"] = "mine%.lua:1",
    ["os.exit(0)"] = "failed while loading",
    ["local io = require 'io' return {}"] = "may not require 'io'",
    ["while true do end"] = "failed while loading",
    [HEAD .. "diagnose = function() end }\27Lua"] = "mine",
  } do
    it("refuses " .. text:sub(-40):gsub("%c", "?"), function()
      local book, message = load_text(text)
      assert.is_nil(book)
      assert.matches(expected, message)
    end)
  end

  it("refuses bytecode", function()
    local book = load_text(string.dump(function() return {} end))
    assert.is_nil(book)
  end)

  it("picks by id, glob and category", function()
    local all = { { id = "a-one", category = "x" }, { id = "a-two", category = "y" },
      { id = "b", category = "y" } }
    local function ids(wanted)
      local list = {}
      for i, book in ipairs(assert(playbook.select(all, wanted))) do list[i] = book.id end
      return table.concat(list, " ")
    end
    assert.equal("a-one a-two", ids "a-*")
    assert.equal("b a-two", ids "b,y")
    assert.is_nil((playbook.select(all, "c")))
    assert.is_nil((playbook.select(all, "")))
  end)

  it("reads parameters by their types and ranges", function()
    local book = { id = "b", params = {
      { name = "n", type = "integer", default = 3, min = 1, help = "" },
      { name = "d", type = "duration", default = 1000, help = "" },
      { name = "on", type = "boolean", default = false, help = "" } } }
    assert.same({ n = 7, d = 90000, on = true },
      playbook.values(book, { n = "7", d = "1.5m", on = "yes" }))
    for name, text in pairs { n = "1.5", d = "soon", on = "maybe" } do
      local values, message = playbook.values(book, { [name] = text })
      assert.is_nil(values)
      assert.matches("parameter " .. name, message)
    end
    assert.is_nil((playbook.values(book, { n = "0" })))
  end)

  it("loads every playbook that we ship", function()
    local list, errors = playbook.all()
    assert.same({}, errors)
    assert.is_true(#list >= 4)
  end)
end)
