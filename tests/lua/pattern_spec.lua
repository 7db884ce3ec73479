--- Our pattern functions beside the stock ones: same answers on cases by hand and on many by lot.
-- They differ in one thing on purpose: a malformed pattern is refused always.
local pattern = require "hbdx.core.pattern"
local stock = debug.getregistry()["hbdx.stock"]

local function both(name, ...)
  local want = table.pack(pcall(stock[name], ...))
  local got = table.pack(pcall(pattern[name], ...))
  return got, want
end

--- All matches as one list, at most 50.
local function walk(gmatch, ...)
  local all = {}
  for a, b in gmatch(...) do
    all[#all + 1] = { a, b }
    if #all == 50 then break end
  end
  return all
end

local SUBJECTS = { "", "a", "aaa", "hello world from Lua", "  trim me  ", "key = value; k2=v2",
  "f(a(b)c)d(e", "THE (quick) fox", "0x1F 12.5e-3 -7", "a\0b\0", "x^y$z", "[[]]", "äöü\xff\x80",
  "line1\nline2\r\n\tend", "aXbXc", "%d%%", ("ab"):rep(50) }

local PATTERNS = { "", "a", "a*", "a+", "a-", "a?", ".", ".-", ".*b", "^", "$", "^$", "^a", "a$",
  "%a+", "%A+", "%w+", "%W", "%s*", "%S+", "%d+%.?%d*", "%x+", "%p", "%c", "%g+", "%l%u", "%u%l*",
  "[abc]+", "[^abc]+", "[a-c]", "[%a_][%w_]*", "[]]", "[^]]", "[]-a]+", "[a-]", "[-a]", "[%]]",
  "[^%s=]+%s*=%s*[^;]*", "(a)", "(a*)(b*)", "()", "()a()", "(.)%1", "(%a)(%a)%2%1", "%b()", "%bxy",
  "%b%%", "%f[%a]%a+", "%f[%z]", "%f[\0]", "^%s*(.-)%s*$", "(%w+) = (%w+)", "a.c", "%.", "%%",
  "x^y", "x$y", "*a", "(*)", "a**", "[%w]+$", "\0", "%a-$", "((a)(b))", "[%d-z]", "[+-0]+", "%z",
  "(((((a)))))", "a-b-c-", "^(a+)a$" }

describe("pattern", function()
  for _, p in ipairs(PATTERNS) do
    it("answers as the stock functions do to " .. ("%q"):format(p), function()
      for _, s in ipairs(SUBJECTS) do
        for _, init in ipairs { 1, 2, -1, 0, 100, -100 } do
          local got, want = both("find", s, p, init)
          assert.same(want, got)
          got, want = both("match", s, p, init)
          assert.same(want, got)
        end
        assert.same(walk(stock.gmatch, s, p), walk(pattern.gmatch, s, p))
        assert.same(walk(stock.gmatch, s, p, 3), walk(pattern.gmatch, s, p, 3))
        local got, want = both("gsub", s, p, "<%0>")
        assert.same(want, got)
        got, want = both("gsub", s, p, "%1%%", 2)
        assert.same(want, got)
      end
    end)
  end

  it("answers alike to patterns drawn by lot", function()
    local pieces = { "a", "b", ".", "%a", "%W", "[ab]", "[^a]", "[%s-]", "(", ")", "*", "+", "-",
      "?", "^", "$", "%1", "%b()", "%f[%a]", "()", "x", " " }
    local letters = { "a", "b", "x", " ", "(", ")", "-", "\n" }
    local state, refused, compared = 20240501, 0, 0
    local function draw(n)
      state = (state * 1103515245 + 12345) % 2147483648
      return (state >> 8) % n + 1
    end
    for _ = 1, 20000 do
      local p, s = {}, {}
      for i = 1, draw(7) do p[i] = pieces[draw(#pieces)] end
      for i = 1, draw(12) - 1 do s[i] = letters[draw(#letters)] end
      local pt, st = table.concat(p), table.concat(s)
      local got, want = both("find", st, pt)
      if not got[1] then
        refused = refused + 1
      else
        compared = compared + 1
        assert.same(want, got, ("find(%q, %q)"):format(st, pt))
      end
      got, want = both("gsub", st, pt, "[%0]")
      if got[1] then assert.same(want, got, ("gsub(%q, %q)"):format(st, pt)) end
      assert(want[1] == got[1] or not got[1], ("%q is refused by the stock alone"):format(pt))
    end
    assert.truthy(compared > 8000 and refused > 1000)
  end)

  it("refuses what is malformed, whatever the subject", function()
    for _, p in ipairs { "%", "[a", "(", "a?)", "%1", "%b", "%f", "(()", "[%", ("()"):rep(33) } do
      assert.has_error(function() pattern.find("zzz", p) end)
      assert.has_error(function() pattern.gsub("", p, "") end)
      assert.has_error(function() pattern.gmatch("", p) end)
    end
  end)

  it("replaces by table, function and text as the stock does", function()
    local s = "alpha beta 12"
    local function some(w) return w == "beta" and w:upper() or nil end
    local replacements = { { alpha = "A", [1] = "x" }, some, "%1-%0", 7,
      function(a) return #a end, function() return false end }
    for _, r in ipairs(replacements) do
      for _, p in ipairs { "(%w+)", "%w+", "(%w)(%w)", "^%w+", "()%w" } do
        local got, want = both("gsub", s, p, r)
        assert.same(want, got)
      end
    end
    for _, bad in ipairs { "%", "%x", "%9" } do
      assert.has_error(function() pattern.gsub(s, "%w+", bad) end)
    end
    assert.has_error(function() pattern.gsub(s, "%w+", function() return {} end) end)
    assert.has_error(function() pattern.gsub(s, "%w+", true) end)
  end)

  it("finds plain text, with zero bytes in it", function()
    assert.same({ 3, 4 }, { pattern.find("a.b\0.b\0", "b\0", 1, true) })
    assert.same({ 2, 2 }, { pattern.find("a.b", ".", 1, true) })
    assert.is_nil(pattern.find("aaa", "b", 1, true))
    assert.same({ 4, 3 }, { pattern.find("aaa", "", 4, true) })
    assert.is_nil((pattern.find("aaa", "", 5, true)))
  end)

  it("repeats as the stock does", function()
    for _, c in ipairs { { "ab", 3 }, { "ab", 3, ", " }, { "", 5, "x" }, { "a", 0 }, { "a", -1 },
      { "a", 1, "x" }, { "", 5 } } do
      local got, want = both("rep", table.unpack(c))
      assert.same(want, got)
    end
    assert.has_error(function() pattern.rep("abc", math.maxinteger) end)
    assert.equal("", pattern.rep("", math.maxinteger))
  end)

  it("is what every string of this state uses", function()
    assert.equal(pattern.find, string.find)
    assert.equal(pattern.gsub, ("").gsub)
  end)
end)
