-- What is true of this sample; see README.md. A verdict may be a list where several are right.
local fine = { "ruled_out", "cannot_tell" }
return {
  zone = "+05:30",
  verdict = {
    ["cache-eviction"] = fine, ["flush-stall"] = fine, ["handler-hogging"] = fine,
    ["read-amplification"] = fine,
  },
  zones = { ["rs-1/regionserver.log.gz"] = 19800000, ["rs-2/regionserver.log.gz"] = 19800000 },
  calls = 10,
}
