--- Text that a fix asks somebody to paste: exact, and short enough for 80 columns.
local snippet = {}

--- One or more properties for hbase-site.xml.
---@param ... string name, value, name, value, ...
---@return string
function snippet.properties(...)
  local words, lines = { ... }, {}
  for i = 1, #words, 2 do
    lines[#lines + 1] = ("<property><name>%s</name>"):format(words[i])
    lines[#lines + 1] = ("  <value>%s</value></property>"):format(words[i + 1])
  end
  return table.concat(lines, "\n")
end

return snippet
