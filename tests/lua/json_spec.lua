--- hbdx.core.json and hbdx.core.http as Lua sees them.
local json = require "hbdx.core.json"
local http = require "hbdx.core.http"

describe("json.decode", function()
  it("keeps integers exact and apart from reals", function()
    local v = json.decode '[9223372036854775807, -1, 1.0, 2.5, "7"]'
    assert.same({ 9223372036854775807, -1, 1.0, 2.5, "7" }, v)
    assert.equal("integer", math.type(v[1]))
    assert.equal("float", math.type(v[3]))
  end)

  it("gives null as json.null and keeps members that are null", function()
    local v = json.decode '{"a":null,"b":false}'
    assert.equal(json.null, v.a)
    assert.is_false(v.b)
    assert.equal(json.null, json.decode "null")
  end)

  it("takes the first of two members with one name", function()
    assert.same({ a = 1, b = 3 }, json.decode '{"a":1,"a":2,"b":3}')
    assert.same({ a = json.null }, json.decode '{"a":null,"a":2}')
  end)

  it("refuses a broken text, and says where", function()
    local v, message, code = json.decode '{"a":1,'
    assert.is_nil(v)
    assert.truthy(message:find("at byte 7", 1, true))
    assert.equal("parse", code)
  end)

  it("mends a broken text when asked to, and says what", function()
    local v, damage = json.decode('{"a":NaN,"b":[1,', { lenient = true })
    assert.truthy(v.a ~= v.a)
    assert.same({ 1 }, v.b)
    assert.truthy(damage:find("cut off at byte 16", 1, true))
    local _, none = json.decode("[1]", { lenient = true })
    assert.is_nil(none)
  end)

  it("survives 900 levels, and refuses more than 1000", function()
    assert.is_table(json.decode(("["):rep(900) .. ("]"):rep(900)))
    assert.is_nil((json.decode(("["):rep(2000) .. ("]"):rep(2000))))
  end)

  it("raises when misused", function()
    assert.has_error(function() json.decode() end)
    assert.has_error(function() json.decode("1", { lenient = 1 }) end)
  end)
end)

describe("json.encode", function()
  it("sorts names, but for those of __order", function()
    assert.equal('{"a":1,"b":2,"c":3}', json.encode { c = 3, a = 1, b = 2 })
    local t = setmetatable({ c = 3, a = 1, z = 0, b = 2 }, { __order = { "z", "c", "none" } })
    assert.equal('{"z":0,"c":3,"a":1,"b":2}', json.encode(t))
    local odd = setmetatable({ b = 2, a = 1 }, { __order = "no list" })
    assert.equal('[[{"a":1,"b":2},3],{"c":{"a":1,"b":2},"d":4}]',
      json.encode { { odd, 3 }, { c = odd, d = 4 } })
  end)

  it("tells arrays from objects", function()
    assert.equal("{}", json.encode {})
    assert.equal("[]", json.encode(json.array()))
    assert.equal("[]", json.encode(json.array {}))
    assert.equal('{"a":[],"b":{}}', json.encode(json.decode '{"a":[],"b":{}}'))
    assert.equal("[1,[2,[]]]", json.encode { 1, { 2, json.array {} } })
  end)

  it("writes numbers that read back as the same", function()
    local all = { 0, -1, math.maxinteger, math.mininteger, 0.1, 1 / 3, 100.0, -0.0, 1e300, 2.5e-40,
      5e-324, 1e15, 123456789012345680.0 }
    local back = json.decode(json.encode(all))
    for i, v in ipairs(all) do
      assert.equal(v, back[i])
      assert.equal(math.type(v), math.type(back[i]))
    end
    assert.equal("[0.1,100.0,1e+300]", json.encode { 0.1, 100.0, 1e300 })
    assert.equal("[null,null,null]", json.encode { 0 / 0, 1 / 0, -1 / 0 })
  end)

  it("writes any bytes as UTF-8", function()
    assert.equal([["\u0000\u001b\n\"\\/ä]] .. "\u{fffd}" .. '"',
      json.encode "\0\27\n\"\\/ä\xff")
    assert.equal('{"\u{fffd}":true}', json.encode { ["\xff"] = true })
  end)

  it("indents", function()
    assert.equal('{\n  "a": [\n    1,\n    2\n  ],\n  "b": {},\n  "c": null\n}',
      json.encode({ a = { 1, 2 }, b = {}, c = json.null }, { indent = 2 }))
  end)

  it("raises at what JSON cannot hold", function()
    local circle = {}
    circle[1] = circle
    for _, v in ipairs { circle, { 1, nil, 3 }, { 1, a = 2 }, { [2] = 1 }, { [true] = 1 },
      { print }, { [1.5] = 1 }, { a = io.stdout } } do
      assert.has_error(function() json.encode(v) end)
    end
    assert.has_error(function() json.encode() end)
    assert.has_error(function() json.encode({}, { indent = -1 }) end)
    assert.equal("null", json.encode(json.null))
  end)

  it("survives a collector that runs at every step", function()
    collectgarbage("incremental", 1, 1000, 1)
    local text = json.encode(json.decode '{"a":[1,{"b":"c"}],"d":{"e":[[],{}]}}')
    collectgarbage("incremental", 200, 100, 13)
    assert.equal('{"a":[1,{"b":"c"}],"d":{"e":[[],{}]}}', text)
  end)
end)

describe("http.get", function()
  it("gives a failure to each URL that fails", function()
    if os.getenv "http_proxy" or os.getenv "ALL_PROXY" or os.getenv "all_proxy" then
      pending "a proxy stands before the loopback"
    end
    local r = http.get({ "file:///etc/passwd", "http://127.0.0.1:1/jmx" },
      { connect_ms = 500, total_ms = 1000 })
    assert.equal(2, #r)
    assert.equal("usage", r[1].code)
    assert.equal("file:///etc/passwd", r[1].url)
    assert.equal("net", r[2].status)
    assert.equal("net", r[2].code)
    assert.truthy(r[2].error:find("http://127.0.0.1:1/jmx: no connection", 1, true))
    assert.equal("", r[2].body)
    assert.is_nil(r[2].http_status)
    assert.is_true(r[2].took_ms >= 0)
  end)

  it("has nothing to do for no URL", function()
    assert.same({}, http.get {})
  end)

  it("raises when misused", function()
    assert.has_error(function() http.get "http://h" end)
    assert.has_error(function() http.get { 7 } end)
    assert.has_error(function() http.get({}, { total_ms = -1 }) end)
    assert.has_error(function() http.get({}, { user = 7 }) end)
  end)
end)
