--- Documentation coverage: every function that a binding registers carries its Lua signature in the
-- comment above it.
package.path = require("hbdx.core.sys").home() .. "/tests/?.lua;" .. package.path
local tree = require "lint.tree"

--- The comment that ends just above the definition of a C function, or nil.
local function comment_above(text, name)
  local at = text:find("static int " .. name .. "%(lua_State %*L%) {")
  if not at then return nil end
  local before = text:sub(1, at - 1)
  local from
  local open = before:find("/%*")
  while open do
    from = open
    open = before:find("/%*", open + 2)
  end
  local comment = from and before:sub(from)
  return comment and comment:find("%*/\n$") and comment or nil
end

--- name, function of every row of every luaL_Reg table.
local function rows(text)
  local list = {}
  for body in text:gmatch("luaL_Reg%s+[%w_]+%[%]%s*=%s*(%b{});") do
    for name, fn in body:gmatch("{%s*\"([%w_]+)\"%s*,%s*([%w_]+)%s*}") do
      list[#list + 1] = { name = name, fn = fn }
    end
  end
  return list
end

describe("the bindings", function()
  local files = tree.files("core/shell", "%.c$", tree.files("core/bind", "^l_.*%.c$"))

  it("document every function that they register", function()
    local missing, seen = {}, 0
    for _, path in ipairs(files) do
      local text = tree.read(path)
      for _, row in ipairs(rows(text)) do
        seen = seen + 1
        local closer = text:find("L_CLOSER%(" .. row.fn .. ",")
        local comment = comment_above(text, row.fn) or ""
        if not closer and not comment:find("%f[%w_]" .. row.name .. "%f[^%w_]%s*[({]") then
          missing[#missing + 1] = ("%s: %s (%s)"):format(path, row.name, row.fn)
        end
      end
    end
    assert.truthy(seen > 30, "there is nothing to look at")
    assert.same({}, missing)
  end)

  it("would miss a comment that is not there", function()
    local text = '/* m.a(x) -> y */\nstatic int l_a(lua_State *L) {\n}\n'
      .. 'static int l_b(lua_State *L) {\n}\n'
      .. 'static const luaL_Reg m[] = {{"a", l_a}, {"b", l_b}, {NULL, NULL}};'
    assert.truthy(comment_above(text, "l_a"))
    assert.is_nil(comment_above(text, "l_b"))
    assert.equal(2, #rows(text))
  end)
end)
