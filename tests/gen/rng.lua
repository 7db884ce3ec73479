--- Random numbers of our own, so that a seed gives the same sample on every machine: xorshift64*.
-- No logarithm and no sine: their last digit differs between C libraries.

---@class gen.rng
---@field private seed integer
---@field private state integer
local Rng = {}
Rng.__index = Rng

-- FNV-1a over the bytes of a label
local function hash(label)
  local h = 0xCBF29CE484222325
  for i = 1, #label do h = (h ~ label:byte(i)) * 0x100000001B3 end
  return h
end

-- splitmix64: a good state from any seed, never 0
local function spread(seed)
  local z = seed + 0x9E3779B97F4A7C15
  z = (z ~ (z >> 30)) * 0xBF58476D1CE4E5B9
  z = (z ~ (z >> 27)) * 0x94D049BB133111EB
  z = z ~ (z >> 31)
  return z ~= 0 and z or 1
end

---@param seed integer
---@return gen.rng
local function new(seed)
  return setmetatable({ seed = seed, state = spread(seed) }, Rng)
end

--- A stream of its own: what is drawn here moves nothing elsewhere.
---@param label string
---@return gen.rng
function Rng:fork(label) return new(self.seed ~ hash(label)) end

---@return integer -- 64 bits
function Rng:bits()
  local x = self.state
  x = x ~ (x >> 12)
  x = x ~ (x << 25)
  x = x ~ (x >> 27)
  self.state = x
  return x * 0x2545F4914F6CDD1D
end

---@return number -- 0 <= u < 1
function Rng:unit() return (self:bits() >> 11) / 9007199254740992.0 end

---@param low integer
---@param high integer
---@return integer -- low..high
function Rng:int(low, high) return low + (self:bits() >> 1) % (high - low + 1) end

--- Bell-shaped around mean, never farther than reach: the sum of four uniform numbers.
---@param mean number
---@param reach number
---@return number
function Rng:near(mean, reach)
  local sum = self:unit() + self:unit() + self:unit() + self:unit()
  return mean + (sum - 2.0) / 2.0 * reach
end

--- The value, give or take a share of it (0.1: 10 %).
---@param value number
---@param share number
---@return number
function Rng:jitter(value, share) return self:near(value, value * share) end

---@param p number
---@return boolean
function Rng:chance(p) return self:unit() < p end

---@generic T
---@param list T[]
---@return T
function Rng:pick(list) return list[self:int(1, #list)] end

---@param digits integer
---@return string -- lower-case hex digits
function Rng:hex(digits)
  local out = {}
  for i = 1, digits, 16 do
    out[#out + 1] = string.format("%016x", self:bits()):sub(1, math.min(16, digits - i + 1))
  end
  return table.concat(out)
end

return { new = new }
