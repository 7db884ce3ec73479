--- Reading live servers: what is asked, how often, and what is made of the answers.
local asked, answer
local fake = {}
function fake.get(urls)
  local replies = {}
  for i, url in ipairs(urls) do
    asked[#asked + 1] = url
    replies[i] = answer(url) or { error = url .. ": connection refused", code = "net" }
  end
  return replies
end

package.loaded["hbdx.core.http"] = fake
package.loaded["hbdx.collect"] = nil
local collect = require "hbdx.collect"

local function body(text) return { body = text, took_ms = 7, http_status = 200 } end

local function healthy(url)
  if url:find("StartTime", 1, true) then return body '{"beans":[{"name":"r","StartTime":1000}]}' end
  if url:find("Uptime", 1, true) then return body '{"beans":[{"name":"r","Uptime":500}]}' end
  if url:find("/conf$") then return body "<configuration></configuration>" end
  return body('{"beans":[{"name":"Hadoop:service=HBase,name=RegionServer,sub=Server"}]}'
    .. (" "):rep(200))
end

local function fetch(bases, opts)
  asked = {}
  opts.apart_ms = opts.apart_ms or 1
  return collect.fetch(bases, opts)
end

describe("collect.base", function()
  it("keeps scheme, host and a proxy's path", function()
    assert.equal("http://rs:16030", collect.base("http://rs:16030/"))
    assert.equal("http://rs:16030", collect.base("http://rs:16030/rs-status?format=json"))
    assert.equal("https://gw/hbase/rs1", collect.base("https://gw/hbase/rs1/jmx"))
  end)

  it("refuses a password on the command line", function()
    local base, message = collect.base("http://u:secret@rs:16030")
    assert.is_nil(base)
    assert.truthy(message:find("HBDX_AUTH", 1, true))
    assert.is_nil(message:find("secret", 1, true))
    assert.is_nil((collect.base("http:///x")))
  end)
end)

describe("collect.fetch", function()
  it("asks narrow questions, twice, and times the dumps by the server's clock", function()
    answer = healthy
    local said
    local servers, cost = fetch({ "http://a" }, { say = function(text) said = text end })
    local documents = servers["http://a"].documents
    local kinds = {}
    for i, d in ipairs(documents) do kinds[i] = d.kind end
    assert.same({ "jmx", "jmx", "conf", "jmx", "jmx" }, kinds)
    assert.equal(1500, documents[1].t_ms)
    assert.equal("server clock", documents[1].t_origin)
    assert.equal(8, cost.requests)
    assert.equal(56, cost.server_ms)
    assert.truthy(said:find("snapshot 2 of 2", 1, true))
    for _, url in ipairs(asked) do
      assert.truthy(url:find("/jmx?qry=Hadoop:service=HBase,*", 1, true)
        or url:find("/jmx?get=java.lang:type=", 1, true) or url:find("/conf$"), url)
    end
  end)

  it("takes one snapshot without waiting when asked to", function()
    answer = healthy
    local _, cost = fetch({ "http://a" }, { snapshots = 1, apart_ms = 60000 })
    assert.equal(5, cost.requests)
  end)

  it("does not ask a dead server again, and keeps the living one", function()
    answer = function(url) return url:find("//a/", 1, true) and healthy(url) or nil end
    local servers, cost = fetch({ "http://a", "http://b" }, {})
    assert.equal(0, #servers["http://b"].documents)
    assert.equal(5, #servers["http://a"].documents)
    assert.equal(13, cost.requests)
    local first = servers["http://b"].failures[1]
    assert.truthy(first.error:find("refused", 1, true))
    assert.is_false(first.optional)
    assert.is_true(servers["http://b"].failures[3].optional)
  end)

  it("asks once more while a server restarts its metrics", function()
    local empties = 1
    answer = function(url)
      if url:find("qry=", 1, true) and empties > 0 then
        empties = empties - 1
        return body '{"beans":[]}'
      end
      return healthy(url)
    end
    local servers, cost = fetch({ "http://a" }, { snapshots = 1 })
    assert.truthy(servers["http://a"].documents[1].bytes:find("sub=Server", 1, true))
    assert.equal(7, cost.requests)
    assert.equal(2, cost.repeated)
  end)

  it("falls back to the Date header, then to this machine's clock", function()
    answer = function(url)
      if url:find("Runtime", 1, true) then return nil end
      local reply = healthy(url)
      reply.date_ms = 77000
      return reply
    end
    local servers = fetch({ "http://a" }, { snapshots = 1 })
    assert.equal(77000, servers["http://a"].documents[1].t_ms)
    assert.equal("Date header", servers["http://a"].documents[1].t_origin)
  end)
end)
