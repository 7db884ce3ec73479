--- Versions of HBase: reading them, and asking whether a thing is in one.
-- Releases of several branches go on side by side, so "since" is a list: "2.4.14 2.5.1 2.6" says
-- that 2.5.0 does not have it although 2.4.14 does.
local version = {}

---@class hbdx.Version
---@field text string as it was written
---@field major integer
---@field minor integer
---@field patch integer?
---@field pre boolean an alpha, beta or release candidate
---@field branch string "2.5"
---@field number integer major * 100 + minor, as the core takes it

--- Reads "2.5.8", "1.4", "3.0.0-alpha-4", "2.1.0-cdh6.3.2", "1.1.2.2.6.5.0-292".
---@param text any
---@return hbdx.Version? nil: not a version
function version.parse(text)
  if type(text) == "table" and text.branch then return text end
  local major, minor, rest = tostring(text):match("^%s*v?(%d+)%.(%d+)(.*)$")
  major, minor = math.tointeger(tonumber(major)), math.tointeger(tonumber(minor))
  if not (major and minor) or major > 9 or minor > 99 or not rest:match("^[%w.%-_+~%s]*$") then
    return nil
  end
  local low = rest:lower()
  return {
    text = tostring(text):match("^%s*(.-)%s*$"),
    major = major, minor = minor,
    patch = math.tointeger(tonumber(rest:match("^%.(%d+)"))),
    pre = low:find("alpha", 1, true) ~= nil or low:find("beta", 1, true) ~= nil
      or low:find("%-rc%d") ~= nil,
    branch = major .. "." .. minor,
    number = major * 100 + minor,
  }
end

--- At or after a release, where both are of the same branch. A release without a patch level
-- ("3.0") takes in its alphas; one with it ("3.0.0") does not.
local function reached(v, release)
  if not release.patch then return true end
  local patch = v.patch or math.huge -- "2.5" alone: its newest
  if patch == release.patch then return not v.pre or release.pre end
  return patch > release.patch
end

--- Is v at or after one of the releases? Of a branch that is not among them, only one above all.
---@param v hbdx.Version
---@param releases string? "2.4.14 2.5.1 2.6"; nil: from the beginning
---@return boolean
function version.since(v, releases)
  if not releases then return true end
  local newest = 0
  for word in releases:gmatch("%S+") do
    local release = assert(version.parse(word), word)
    if release.number == v.number then return reached(v, release) end
    newest = math.max(newest, release.number)
  end
  return v.number > newest
end

--- Is v at or after this one release, by the order of numbers alone? For tables of steps.
---@param v hbdx.Version
---@param release string
---@return boolean
function version.at_least(v, release)
  local r = assert(version.parse(release), release)
  if v.number ~= r.number then return v.number > r.number end
  return reached(v, r)
end

return version
