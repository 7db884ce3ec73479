-- What is true of this sample; see README.md. A verdict may be a list where several are right.
local fine = { "ruled_out", "cannot_tell" }
return {
  zone = "+01:00",
  verdict = {
    ["cache-eviction"] = fine, ["flush-stall"] = fine, ["handler-hogging"] = fine,
    ["read-amplification"] = fine,
  },
  calls = 128,
}
