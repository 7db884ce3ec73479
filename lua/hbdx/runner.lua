--- Runs playbooks over a case. What a playbook needs is decided here; a playbook that throws, runs
-- too long or wants too much memory becomes a finding that says so, and the run goes on.
local playbook = require "hbdx.playbook"
local view = require("hbdx.case").view
local shape = require "hbdx.finding.shape"

local runner = {}

local RANK = { confirmed = 1, likely = 2, cannot_tell = 3, ruled_out = 4 }
local SEVERITY = { critical = 1, warning = 2, info = 3 }

-- What the case lacks of a playbook's needs: a list of { what, get }, empty when it can run.
local function lacking(case, needs)
  local missing = {}
  for _, need in ipairs(needs) do
    local advices, met = {}, false
    for _, one in ipairs(type(need) == "table" and need or { need }) do
      local has, advice = case:has(one)
      met = met or has
      advices[#advices + 1] = advice
    end
    if not met then
      local what, get, seen = {}, {}, {}
      for _, advice in ipairs(advices) do
        what[#what + 1] = advice.what
        if not seen[advice.get] then get[#get + 1], seen[advice.get] = advice.get, true end
      end
      missing[#missing + 1] = { what = table.concat(what, " or "),
        get = table.concat(get, ", or ") }
    end
  end
  return missing
end

local function blank(book, verdict)
  return { playbook = book.id, verdict = verdict, severity = book.severity, title = book.title,
           evidence = {}, affected = {}, fixes = {}, missing = {}, not_cause = {}, caveats = {} }
end

local REASON = {
  deadline = "it ran longer than its deadline of %d s",
  memory = "it wanted more than its %d MiB of memory",
}

local LONGEST = 1000 -- bytes of an error message

local function failed(book, problem, opts)
  local f = blank(book, "cannot_tell")
  local reason = REASON[problem.kind]
  f.error = reason and reason:format(problem.kind == "deadline" and opts.deadline_ms // 1000
                                     or opts.memory_bytes >> 20)
    or tostring(problem.message):sub(1, LONGEST)
  f.traceback = problem.traceback
  f.missing = { { what = "this playbook failed: " .. f.error,
                  get = "mend " .. book.path .. ", or run the others without it" } }
  return f
end

local function finish(book, f)
  local wrong = shape.problem(f)
  if wrong then return failed(book, { message = wrong }, {}) end
  f.playbook, f.title, f.severity = book.id, f.title or book.title, f.severity or book.severity
  return f
end

-- Runs one playbook; always gives a finding.
local function run_one(case, book, values, opts)
  local missing = lacking(case, book.needs)
  if #missing > 0 then
    local f = blank(book, "cannot_tell")
    f.missing = missing
    return f
  end
  local ok, f = require("hbdx.core.guard").call(book.diagnose,
    { memory_bytes = opts.memory_bytes, deadline_ms = opts.deadline_ms }, view(case), values)
  if not ok then return failed(book, f, opts) end
  return finish(book, f)
end

local function before(a, b)
  if RANK[a.verdict] ~= RANK[b.verdict] then return RANK[a.verdict] < RANK[b.verdict] end
  if SEVERITY[a.severity] ~= SEVERITY[b.severity] then
    return SEVERITY[a.severity] < SEVERITY[b.severity]
  end
  return a.playbook < b.playbook
end

---@class hbdx.Result
---@field findings hbdx.Finding[] strongest first
---@field failed integer playbooks that threw, ran out of time or memory
---@field elapsed_ms number
---@field seen hbdx.Grave[]? what no playbook judges; nil: not looked for

--- Runs playbooks over a case.
---@param case hbdx.Case
---@param books hbdx.Playbook[]
---@param opts table? { params = {name = text}, deadline_ms = per playbook, memory_bytes }
---@return hbdx.Result? result
---@return string? message a parameter does not fit
---@return string? code
function runner.run(case, books, opts)
  opts = opts or {}
  opts.deadline_ms = opts.deadline_ms or 20000
  opts.memory_bytes = opts.memory_bytes or 512 << 20
  local sys = require "hbdx.core.sys"
  local started = sys.monotonic_ms()
  local result = { findings = {}, failed = 0 }
  for _, book in ipairs(books) do
    local values, message, code = playbook.values(book, opts.params or {})
    if not values then return nil, message, code end
    local f = run_one(case, book, values, opts)
    result.failed = result.failed + (f.error and 1 or 0)
    result.findings[#result.findings + 1] = f
  end
  table.sort(result.findings, before)
  result.elapsed_ms = sys.monotonic_ms() - started
  return result
end

--- The exit status of a result (the plan's table): 0 nothing at or above the bar, 1 findings, 2 a
-- playbook failed, 3 a source could not be read or nothing could be told.
---@param result hbdx.Result
---@param fail_on "confirmed"|"likely"|"never"
---@param unread integer sources that could not be read
---@return integer
function runner.status(result, fail_on, unread)
  local bar = fail_on == "never" and 0 or RANK[fail_on] or RANK.likely
  local told = 0
  for _, f in ipairs(result.findings) do
    if RANK[f.verdict] <= bar then return 1 end
    if f.verdict ~= "cannot_tell" then told = told + 1 end
  end
  if result.failed > 0 then return 2 end
  if unread > 0 or told == 0 then return 3 end
  return 0
end

return runner
