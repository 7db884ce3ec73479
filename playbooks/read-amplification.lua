--- Reads do many times the work that their results need: too many files per store, blocks that miss
-- the cache, rows walked for each row returned. The three multiply, and each has a fix of its own.
-- Its mark: many rows walked for few returned, in stores of many files. A filter over a table that
-- is in the memstore is another illness (handler-hogging); many files under point Gets with blooms
-- do no harm.
local finding = require "hbdx.finding"
local fix = require "hbdx.pattern.readcost_fix"
local readcost = require "hbdx.pattern.readcost"
local units = require "hbdx.units"

local function rows_evidence(f, r, p)
  local cells, how = readcost.cells(r)
  local many = f:expect { claim = "rows walked for one", observed = cells, unit = "x",
    at_least = p.rows, origin = "parameter rows" .. (how and "; " .. how or ""), where = r.place }
  if r.scanned then
    f:fact { claim = "scanned, returned",
      observed = ("%s for %s"):format(units.group(r.scanned), units.group(r.returned)),
      where = units.plural(r.queries, "query", "queries")
        .. (r.label and r.label ~= "" and ", " .. r.label or "") }
    if r.filtered then
      f:fact { claim = "of these, dropped", unit = "percent",
               observed = 100 * r.filtered / math.max(1, r.scanned) }
    end
  end
  local grown = r.scanned_first and r.scanned - r.scanned_first or 0
  if r.scanned and grown >= 0.05 * r.scanned then
    f:fact { claim = "scanned at first", observed = r.scanned_first,
      origin = ("%s more since then: tombstones or new rows; about %s still live"):format(
        units.group(grown), units.group(r.scanned_first)) }
  end
  return many, grown
end

local function files_evidence(case, f, r, p)
  local blocking = case:setting "hbase.hstore.blockingStoreFiles"
  local many = f:expect { claim = "files, " .. (r.files_how or "worst store"),
    observed = r.files, at_least = p.files, origin = "parameter files", where = r.files_where,
    baseline = r.files_first ~= r.files and r.files_first or nil }
  local held, default = readcost.held_back(case)
  if held then
    f:fact { claim = held.name:gsub("^hbase%.hstore%.", ""), observed = tonumber(held.value),
      baseline = default,
             origin = ("compaction waits for so many: %s, %s"):format(held.name, held.origin) }
  elseif many and blocking then
    f:fact { claim = "blocking store files", observed = tonumber(blocking.value),
      origin = blocking.origin }
  end
  return many, held, default
end

-- Where only a part of the cost can be seen, or none.
local function incomplete(f, r)
  if not r.files then f:missing("store files", "a /jmx dump of each RegionServer") end
  if not r.scanned then
    f:missing("rows scanned per query",
      "application logs with ScanMetrics: scan.setScanMetricsEnabled(true)")
  end
end

return {
  id = "read-amplification",
  title = "Reads do many times the work they return",
  category = "read-path",
  severity = "warning",
  symptoms = { "a table gets slower over the week although its volume is stable",
               "a query that returns little takes long" },
  needs = { { "store.files", "store.max_files", "scans" } },
  params = {
    { name = "files", type = "integer", default = 8, min = 2,
      help = "files per store that are many" },
    { name = "rows", type = "number", default = 50, min = 2,
      help = "rows walked for one returned" },
    { name = "hits", type = "number", default = 90, min = 0, max = 100,
      help = "hit percent under which the cache is part of it" },
  },
  about = "Client scan metrics are the most direct sign; without them the server's counter of "
       .. "filtered rows stands in. How many of the dropped rows are deleted and how many were "
       .. "filtered no metric tells: both count as filtered.",

  diagnose = function(case, p)
    local f, r = finding.new(case), readcost.look(case)
    local cells, grown = rows_evidence(f, r, p)
    local files, held, default = files_evidence(case, f, r, p)
    local low = r.hit_percent and r.hit_percent < p.hits or false
    if r.hit_percent then
      f:fact { claim = "hit ratio", observed = r.hit_percent, unit = "percent",
               where = units.plural(#r.windows, "window") .. " together" }
    end
    f:fact { claim = "file x block x cell", observed = readcost.split(r) }
    if files == false or cells == false or (cells and files == nil and not r.scanned) then
      if cells and files == false then
        f:rule_out("file amplification",
          "stores have few files; the filter alone makes the rows: see handler-hogging")
      end
      return f:conclude("ruled_out", { summary = "Not both many files and many rows walked." })
    end
    incomplete(f, r)
    if not cells then
      if #f.missing_list == 0 then
        f:missing("reads", "/jmx dumps or scan metrics of a time at which the table is read")
      end
      return f:conclude("cannot_tell")
    end
    local factor = readcost.cells(r)
    local rows_lead = factor >= (r.files or 1)
    return f:conclude(files and r.scanned and "confirmed" or "likely", {
      summary = ("%s: %.0f rows walked for one returned%s."):format(r.table_name or "A table",
        factor,
        r.files and (", in stores of %.0f files"):format(r.files) or ""),
      cause = (rows_lead and "rows are the larger factor: filters and deletes drop them after they "
              .. "were read" or "files are the larger factor: every scan asks each of them")
           .. (grown > 0 and "; it grew over the time covered" or ""),
      affected = readcost.affected(r, p),
      fixes = fix.list(r, { files = files, blocks = low, held = held, default = default }),
      verify = "after the change, the same query: hbdx run read-amplification SOURCE (aim: "
        .. "under 5 rows walked for one returned)",
      caveats = { readcost.deleted },
    })
  end,
}
