--- The pages of `hbdx explain`: one name, set in lines of at most 80 columns.
local value = require "hbdx.value"

local page = {}

local WIDTH <const>, INDENT <const> = 80, 14

local KIND = {
  counter = "counter: its growth over a window is what counts",
  gauge = "gauge: what it shows is what is now",
  percentile = "statistic of what came in since the last snapshot",
  lifetime_percent = "percentage since the process started",
}
local RESET = {
  process = "begins at 0 when the process starts",
  regions = "a sum over the regions that are online now: falls when one leaves, so a fall is no "
    .. "restart and no rate",
  region = "begins at 0 when the region opens",
  snapshot = "begins anew with every snapshot, whoever takes it",
  flush = "begins at 0 when the region is flushed",
  master = "begins at 0 when the master starts",
}

local function title(out, name, what)
  local gap = math.max(1, WIDTH - #name - #what)
  out[#out + 1] = name .. (" "):rep(gap) .. what
end

--- A label and words, wrapped behind it; a word that is too long alone keeps its end.
local function field(out, label, words)
  if not words or words == "" then return end
  local line, empty = ("  %-" .. (INDENT - 2) .. "s"):format(label), true
  for word in words:gmatch("%S+") do
    if #word > WIDTH - INDENT then word = word:match("([^.]+)$") end
    if not empty and #line + 1 + #word > WIDTH then
      out[#out + 1], line, empty = line, (" "):rep(INDENT), true
    end
    line, empty = line .. (empty and "" or " ") .. word, false
  end
  out[#out + 1] = line
end

local function what(out, words)
  field(out, "", words)
  out[#out] = out[#out] .. "\n"
end

local function finish(out)
  return table.concat(out, "\n") .. "\n"
end

local function versions(s)
  local since = s.since and s.since:gsub("%s+", ", ")
  if since and s.until_ then return ("%s to %s"):format(since, s.until_) end
  return since and "since " .. since or s.until_ and "up to " .. s.until_
end

local function read_from(out, spellings)
  for i, s in ipairs(spellings) do
    local label = i == 1 and "read from" or ""
    field(out, label, ("%s %s"):format(s.bean, s.name))
    local tail = {}
    tail[#tail + 1] = versions(s)
    tail[#tail + 1] = s.scale and ("times %d"):format(s.scale)
    local words = #tail > 0 and ("(%s)"):format(table.concat(tail, ", ")) or ""
    if #out[#out] + 1 + #words > WIDTH then
      field(out, "", words)
    elseif words ~= "" then
      out[#out] = out[#out] .. " " .. words
    end
  end
end

---@param m hbdx.Metric
---@param asked string? the attribute that was asked for, where it is none of its spellings
---@return string
function page.metric(m, asked)
  local out = {}
  title(out, m.name, "metric")
  what(out, m.what .. (asked and (" (stands beside %s)"):format(asked) or ""))
  read_from(out, m.spellings)
  field(out, "unit", m.unit)
  field(out, "kind", KIND[m.kind])
  field(out, "resets", RESET[m.reset])
  field(out, "labels", m.labels and "one series for each " .. table.concat(m.labels, " and "))
  field(out, "moved by", m.moves)
  field(out, "healthy", m.healthy)
  for i, trap in ipairs(m.traps) do field(out, i == 1 and "beware" or "", trap) end
  field(out, "see", table.concat(m.see, " "))
  return finish(out)
end

local function shown(entry, text)
  if not text then return "not set" end
  local n = tonumber(text)
  if entry.unit == "bytes" and n == math.maxinteger then return "no bound" end
  if entry.unit == "bytes" and n and n >= 1024 then
    return ("%s (%s)"):format(text, value.size_text(n))
  end
  if entry.unit == "ms" and n and n >= 60000 then
    return ("%s ms (%g min)"):format(text, n / 60000)
  end
  if entry.unit == "ms" then return text .. " ms" end
  if entry.unit == "mb" then return text .. " MB" end
  return text
end

local function defaults(entry)
  local parts = {}
  for i, step in ipairs(entry.steps) do
    local text = shown(entry, step[2])
    parts[i] = i == 1 and text or ("from %s on %s"):format(step[1], text)
  end
  local all = table.concat(parts, ", ")
  return entry.code and all .. "; in the code alone: absent from /conf" or all
end

local function change(entry)
  if entry.name:find("^hbase%.client%.") or entry.name:find("^hbase%.rpc%.") then
    return "read by clients"
  end
  local words = entry.online and "taken over by update_config, without a restart"
    or "needs a restart of the server"
  if not entry.table_level then return words end
  return ("%s; a table's or family's %s goes before it and needs none"):format(words,
    entry.table_level)
end

---@param entry hbdx.Setting
---@param asked string the name that was asked for
---@return string
function page.setting(entry, asked)
  local out = {}
  title(out, entry.name, "setting")
  what(out, entry.what .. (asked ~= entry.name and (" (%s is an older name)"):format(asked) or ""))
  field(out, "default", defaults(entry))
  if entry.since or entry.until_ then field(out, "in HBase", versions(entry)) end
  field(out, "also", table.concat(entry.aliases, " "))
  field(out, "older name", table.concat(entry.older, " "))
  field(out, "change", change(entry))
  field(out, "note", entry.note)
  field(out, "see", table.concat(entry.see, " "))
  return finish(out)
end

---@param kind hbdx.EventKind
---@return string
function page.event(kind)
  local out = {}
  title(out, kind.name, "event")
  what(out, kind.meaning)
  field(out, "fields", table.concat(kind.fields, " "))
  field(out, "tells", kind.tells)
  field(out, "see", table.concat(kind.see, " "))
  return finish(out)
end

---@param name string
---@param entry string[] what it is, and where to look on
---@param kinds string? what there is of it
---@return string
function page.word(name, entry, kinds)
  local out = {}
  title(out, name, "word")
  field(out, "", entry[1])
  field(out, "kinds", kinds)
  field(out, "see", table.concat(entry, ", ", 2))
  return finish(out)
end

---@param name string
---@param entry table of amp.doc
---@return string
function page.amp(name, entry)
  local out = {}
  title(out, "amp." .. name, "function")
  what(out, entry.summary)
  for i, param in ipairs(entry.params) do
    field(out, i == 1 and "takes" or "", ("%s: %s, %s%s%s"):format(param.name, param.type,
      param.help, param.default ~= nil and ("; default %s"):format(param.default)
      or param.required and "; must be given" or "", param.setting and "; " .. param.setting or ""))
  end
  for i, result in ipairs(entry.returns) do
    field(out, i == 1 and "returns" or "", ("%s: %s"):format(result[1], result[2]))
  end
  field(out, "after", entry.source)
  field(out, "example", entry.example)
  return finish(out)
end

return page
