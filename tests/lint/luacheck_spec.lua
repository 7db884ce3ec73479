--- luacheck over all Lua of the tree. When it is missing this fails: a check that cannot run must
-- not pass.
local sys = require "hbdx.core.sys"

describe("luacheck", function()
  it("has nothing to say", function()
    local folders = {}
    for _, name in ipairs { "lua", "playbooks", "samples", "tests" } do
      if sys.stat(sys.home() .. "/" .. name) then folders[#folders + 1] = name end
    end
    local command = ("cd '%s' && luacheck --no-color -q %s 2>&1"):format(sys.home(),
      table.concat(folders, " "))
    local pipe = assert(io.popen(command))
    local text = pipe:read("a")
    local _, _, status = pipe:close()
    assert.truthy(text:find("^Total:") or text:find("\nTotal:"), "luacheck did not run: " .. text)
    assert.equal(0, status, text)
  end)
end)
