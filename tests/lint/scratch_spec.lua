--- Specs leave nothing behind: what they write is below a folder that is gone when they have ended.
package.path = require("hbdx.core.sys").home() .. "/tests/?.lua;" .. package.path
local scratch = require "scratch"
local sys = require "hbdx.core.sys"
local tree = require "lint.tree"

local BIN = assert(os.getenv "HBDX_BIN", "HBDX_BIN names the binary")

describe("what specs write", function()
  it("is below the one folder for it", function()
    local others = {}
    for _, path in ipairs(tree.files("tests", "_spec%.lua$")) do
      local text = tree.read(path)
      local own = path:find("lint/scratch_spec", 1, true)
      if not own and (text:find("os%.tmpname") or text:find("mktemp", 1, true)) then
        others[#others + 1] = path
      end
    end
    assert.same({}, others)
  end)

  it("is gone when they have ended, also by an error", function()
    local folder, script = scratch.folder(), scratch.name()
    for _, last in ipairs { "", "error 'broken'", "os.exit(1, true)" } do
      assert(sys.write(script, ("package.path = '%s/tests/?.lua'\nlocal s = require 'scratch'\n"
        .. "assert(require 'hbdx.core.sys'.write(s.folder() .. '/x', 'y'))\n%s"):format(sys.home(),
        last)))
      os.execute(("TMPDIR='%s' '%s' lua '%s' 2>'%s'"):format(folder, BIN, script, script .. ".err"))
      assert.same({}, sys.list(folder), last)
    end
  end)
end)
