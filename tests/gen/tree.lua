--- Tables and their regions, named as HBase names them.
local java = require "gen.java"

local tree = {}

---@class gen.region
---@field table string -- "ns:name", or "name" in the default namespace
---@field path string -- "ns/name" as in HDFS
---@field family string
---@field start string -- start key, raw bytes
---@field stop string? -- next region's start key, nil for the last
---@field encoded string
---@field name string -- full name, as the logs print it
---@field weight number -- share of the server's writes
---@field mem number
---@field files number[]

--- spec: table, family, keys (start keys in order, "" first), files (how many, and of about what
--- size, each store begins with), size, weight (of a region, give or take), mem (bytes at most that
--- a memstore begins with), created (ms), flush_size (the table's own). One region a key; encoded
--- names come from rng.
---@param rng gen.rng
---@param spec table
---@return gen.region[]
function tree.regions(rng, spec)
  local list = {}
  local namespace, plain = spec.table:match("^(.-):(.+)$")
  for i, key in ipairs(spec.keys) do
    local encoded = rng:hex(32)
    local r = {
      table = spec.table, family = spec.family or "d", start = key, encoded = encoded,
      path = (namespace or "default") .. "/" .. (plain or spec.table),
      created = spec.created + rng:int(0, 900), stop = spec.keys[i + 1], files = {},
      weight = (spec.weight or 0) * rng:jitter(1, 0.7), flush_size = spec.flush_size,
      mem = rng:int(0, spec.mem or 0), oldest = 0,
    }
    r.name = string.format("%s,%s,%d.%s.", spec.table, java.binary(key), r.created, encoded)
    for n = 1, spec.files or 0 do
      r.files[n] = (rng:jitter(spec.size or 1e8, 0.3) / (n * n)) // 1
    end
    list[i] = r
  end
  return list
end

--- Start keys that cut a key space evenly: "" and then form filled with numbers.
---@param n integer -- regions
---@param form string -- string.format pattern for one number
---@param width integer -- numbers run from 0 to width
---@return string[]
function tree.keys(n, form, width)
  local keys = { "" }
  for i = 1, n - 1 do keys[i + 1] = string.format(form, width * i // n) end
  return keys
end

--- Deals regions to servers in turn, as a balancer that looks at one table at a time does.
---@param regions gen.region[]
---@param n integer
---@return gen.region[][]
function tree.deal(regions, n)
  local hands = {}
  for i = 1, n do hands[i] = {} end
  for i, r in ipairs(regions) do table.insert(hands[(i - 1) % n + 1], r) end
  return hands
end

return tree
