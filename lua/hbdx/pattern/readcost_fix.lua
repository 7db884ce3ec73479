--- Each factor of a read's cost has its own fix: rows, files, blocks.
local snippet = require "hbdx.pattern.snippet"
local units = require "hbdx.units"

local fix = {}

local function rows_fixes(r)
  local name = r.table_name or "TABLE"
  local list = { {
    what = "give the query a start row and a time range instead of a filter over the whole range",
    snippet = "scan.withStartRow(prefix + from).withStopRow(prefix + to)\n"
           .. "    .setTimeRange(from, to)",
    why =
      "a filter on the server drops rows after reading them; a start row does not read them, and "
       .. "a time range skips whole files",
    expected = r.returned and ("about %s rows walked instead of %s"):format(
      units.group(r.returned), units.group(r.scanned))
      or nil,
    risk = "none for the cluster; the query must change" } }
  list[2] = {
    what = "retire old rows by TTL instead of a delete job (example: 30 days)",
    snippet = ("alter '%s', {NAME => 'd', VERSIONS => 1, TTL => 2592000}"):format(name),
    why = "deleted rows are read with their tombstones until a major compaction; expired cells are "
       .. "skipped, and whole files drop out",
    risk = "a TTL deletes for good: check who needs older data and other versions first" }
  return list
end

local function files_fixes(r, held, default)
  local list = {}
  if held then
    list[1] = { what = ("return %s from %s to HBase's own %d"):format(held.name, held.text,
      default),
      snippet = snippet.properties(held.name, ("%d"):format(default)),
      why = "minor compaction waits for that many files, and every scan asks each of them",
      expected = ("compaction is considered from %d files on"):format(default),
      risk = "the backlog is compacted first: off-peak" }
  end
  list[#list + 1] = {
    what = "merge undersized regions, so that each store flushes larger files less often",
    snippet = "merge_region 'ENCODED_A', 'ENCODED_B'",
    why = "many small flushes make many small files",
      risk = "merging moves and compacts regions: off-peak" }
  list[#list + 1] = {
    what = "then one major compaction of the table, to purge tombstones and merge files",
    snippet = ("major_compact '%s'"):format(r.table_name or "TABLE"),
    why = "only a major compaction removes delete markers and what they cover",
    risk = "it rewrites the whole table: off-peak, never during the incident", now = false }
  return list
end

--- The fixes, largest factor first.
---@param r hbdx.ReadCost
---@param t table { files, blocks: booleans; held, default }
---@return hbdx.Fix[]
function fix.list(r, t)
  local list = rows_fixes(r)
  if t.files then
    local more = files_fixes(r, t.held, t.default)
    table.move(more, 1, #more, #list + 1, list)
  end
  if t.blocks then
    list[#list + 1] = { what = "keep analytic scans out of the block cache",
      snippet = "scan.setCacheBlocks(false)",
      why = "blocks of one-off scans push out the blocks that every query needs",
      expected = "a higher hit ratio; no restart", risk = "none known", now = true }
  end
  return list
end

return fix
