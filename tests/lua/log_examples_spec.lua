--- Every line of the reference's examples, of HBase 0.94 to 3.0: read as what it is, and told as an
-- event, a call or a pause where it says more than another line. The examples are not part of the
-- project; where they are not beside it, this is skipped and says so. HBDX_SHARED names the folder.
local core = require "hbdx.core.case"
local sys = require "hbdx.core.sys"

local PATH = (sys.getenv "HBDX_SHARED" or sys.home() .. "/../shared")
  .. "/reference/hbase-log-examples.txt"
local STAMP = "^%d%d%d%d%-%d%d%-%d%d[ T]%d%d:%d%d:%d%d,%d"

-- Records that are read and tell nothing, by a part of their text. One that comes to tell something
-- may stay here.
local QUIET = {
  ["a step of what another line tells as a whole"] = {
    "DefaultStoreFlusher: Flushed", "regionserver.HStore: Added hdfs:", "Flushing Column Family",
    "Flush thread woke up", "Under global heap pressure: Region", "Refreshing storefiles of",
    "FlushSnapshotSubprocedure", "HRegion: Starting compaction o", "average throughput is",
    "sleep=517ms", "Completed removal of", "Validating hfile", "Loaded HFile",
    "AssignRegionHandler: Open", "Post open deploy tasks", "UnassignRegionHandler: Close",
    "New WAL", "loaded coprocessors are", "STOPPED: ", "STOPPING region server",
    "Dump of metrics as JSON" },
  ["a setting, which dumps and configurations tell"] = {
    "Instantiating BucketCache", "reated cacheConfig: ", "Source code repository", "Compiled by",
    "From source with checksum" },
  ["no record, but a part of one, or what a start-up script or the JVM says"] = {
    "^region { type", "^scanner_id", " Starting regionserver on", "^OpenJDK 64%-Bit Server VM",
    "%]%[gc%] Using G1", " Old regions: " },
  ["a row that is cut before its times"] = { "^ROW +COLUMN%+CELL" },
}

local function is_quiet(text)
  for _, parts in pairs(QUIET) do
    for _, part in ipairs(parts) do
      if text:find(part, 1, not part:find "^%^" and not part:find "%%") then return true end
    end
  end
  return false
end

--- The examples: { line = number, text =, stamped = }. A sequence of records is taken apart.
local function examples(text)
  local list, open, n = {}, nil, 0
  for line in text:gmatch "([^\n]*)\n" do
    n = n + 1
    local stamped = line:find(STAMP) ~= nil
    if line:find "^## ====" or line:find "^# version:" then
      open = false
    elseif line == "" then
      open = nil
    elseif open ~= nil then
      if not open or stamped then
        open = { line = n, text = "", stamped = stamped }
        list[#list + 1] = open
      end
      open.text = open.text .. line .. "\n"
    end
  end
  return list
end

--- What is understood of one: its report, and how much it tells.
local function read(example)
  local c <close> = assert(core.open())
  local report, message = c:import_bytes(example.text, { name = "example", zone = "UTC" })
  local told = c:rows [[SELECT (SELECT count(*) FROM event) + (SELECT count(*) FROM call)
    + (SELECT count(*) FROM scan) AS n]][1].n
  return report, message, told
end

describe("the examples of the reference", function()
  local text = sys.stat(PATH) and sys.read(PATH, 1 << 24)
  if not text then
    pending("the examples are not beside the project")
    return
  end
  local list = examples(text)

  it("are all there", function() assert.truthy(#list > 290) end)

  it("are read, and tell what they say", function()
    local wrong = {}
    for _, example in ipairs(list) do
      local report, message, told = read(example)
      local where = ("line %d: %s: "):format(example.line, example.text:sub(1, 150))
      if not report then
        wrong[#wrong + 1] = where .. message
      elseif example.stamped and report.kind ~= "log" then
        wrong[#wrong + 1] = where .. "is taken for " .. report.kind
      elseif told == 0 and not is_quiet(example.text) then
        wrong[#wrong + 1] = where .. "tells nothing"
      elseif report.skipped > 0 and not is_quiet(example.text) then
        wrong[#wrong + 1] = where .. "is understood in part"
      end
    end
    assert.same({}, wrong)
  end)
end)
