--- hbdx help: the overview, the man page and the completions, all from the commands' own tables.
local args = require "hbdx.args"
local check = require "hbdx.check"

local function overview(cli)
  local out = { "usage: hbdx COMMAND [OPTION...] [ARGUMENT...]",
    "       hbdx [SOURCE...]   the shell", "",
    "Diagnoses Apache HBase from RegionServer logs, JMX dumps and configuration.", "" }
  for _, name in ipairs(cli.names) do
    local command = cli.command(name)
    local lines = args.wrap(command.summary, 66)
    out[#out + 1] = ("  %-10s %s"):format(name, lines[1])
    for i = 2, #lines do out[#out + 1] = (" "):rep(13) .. lines[i] end
  end
  table.move({ "",
    "SOURCE is a folder, a log (plain, .gz, .zst), a /jmx dump, hbase-site.xml or",
    "/conf, shell output of slow calls, a .case file, http://HOST:16030, or -.",
    "", "The shell ends with 0; fed from a pipe, with 2 at the first statement that fails,",
    "with 3 where a source could not be read. A command's own --help tells of its own.",
    "", "hbdx COMMAND --help shows a command's options. Start with:",
    "  hbdx diagnose FOLDER" }, 1, 9, #out + 1, out)
  return table.concat(out, "\n") .. "\n"
end

local function roff(s)
  return (s:gsub("\\", "\\e"):gsub("%-", "\\-"):gsub("\n%.", "\n\\&."):gsub("^%.", "\\&."))
end

local function man_command(out, command)
  out[#out + 1] = (".SS hbdx %s %s\n%s"):format(command.name, roff(command.usage),
    roff(command.summary))
  if command.details and command.details:find("^  %S") then -- laid out by hand
    out[#out + 1] = ".PP\n.in 0\n.nf\n" .. roff(command.details) .. "\n.fi\n.in"
  else
    for line in (command.details or ""):gmatch("[^\n]+") do
      out[#out + 1] = ".PP\n" .. roff(line)
    end
  end
  for _, option in ipairs(command.options) do
    local help = option.help .. (option.choices and " (" .. table.concat(option.choices, ", ")
      .. ")" or "") .. (option.default and " [" .. option.default .. "]" or "")
    out[#out + 1] = (".TP\n.B %s\n%s"):format(roff((args.label(option):gsub("^%s+", ""))),
      roff(help))
  end
end

local function man(cli)
  local version = require("hbdx.core.sys").version()
  local out = { ('.TH HBDX 1 "" "hbdx %s" "User Commands"'):format(version), ".SH NAME",
    "hbdx \\- incident diagnosis shell for Apache HBase", ".SH SYNOPSIS",
    ".B hbdx\n.I COMMAND\n[OPTION...] [ARGUMENT...]\n.br\n.B hbdx\n[SOURCE...]", ".SH DESCRIPTION",
    roff("Reads RegionServer logs, JMX dumps and configuration of an Apache HBase cluster, and "
    .. "says what is wrong, with its evidence. Without a command it is a shell in Lua over what "
    .. "it has read."),
    ".SH COMMANDS" }
  for _, name in ipairs(cli.names) do man_command(out, cli.command(name)) end
  out[#out + 1] = ".SH OPTIONS OF EVERY COMMAND"
  for _, option in ipairs(args.common) do
    out[#out + 1] = (".TP\n.B %s\n%s"):format(roff((args.label(option):gsub("^%s+", ""))),
      roff(option.help))
  end
  out[#out + 1] = ".SH EXAMPLES\n.in 3n\n.nf"
  for _, name in ipairs(cli.names) do
    for _, example in ipairs(cli.command(name).examples or {}) do out[#out + 1] = roff(example) end
  end
  out[#out + 1] = ".fi\n.in"
  local last = { ".SH EXIT STATUS",
    "0 nothing found; 1 findings; 2 wrong usage, or a playbook failed; 3 a "
    .. "source could not be read, or nothing could be told; 4 a fault of hbdx; 128+n signal n. The "
    .. "shell: 0; fed from a pipe 2 at the first statement that fails, 3 where a source could not "
    .. "be read.",
    ".SH ENVIRONMENT", ".TP\n.B HBDX_PATH\nfolders of playbooks, joined by colons",
    ".TP\n.B NO_COLOR\nno colours when it is set",
    ".TP\n.B XDG_CONFIG_HOME\nhbdx/playbooks in it is looked in for playbooks",
    ".SH FILES",
    ".TP\n.I $XDG_CONFIG_HOME/hbdx/playbooks\nplaybooks of your own (else in ~/.config)",
    ".TP\n.I $XDG_STATE_HOME/hbdx/history\nwhat was typed at the prompt (else in ~/.local/state)" }
  table.move(last, 1, #last, #out + 1, out)
  return table.concat(out, "\n") .. "\n"
end

local BASH = [[
# bash completion for hbdx, made by: hbdx help --completion bash
_hbdx() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} options choices words one
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "%s" -- "$cur") $(compgen -f -- "$cur"))
    return
  fi
  case ${COMP_WORDS[1]} in
%s
  esac
  for one in $choices; do
    if [ "$prev" = "${one%%%%:*}" ]; then
      COMPREPLY=($(compgen -W "$(echo "${one#*:}" | tr , ' ')" -- "$cur"))
      return
    fi
  done
  case "$words $COMP_CWORD ${COMP_WORDS[2]}" in
    'PLAYBOOK 2 '* | 'list show check 3 show')
      words=$(hbdx playbook list 2>/dev/null | cut -d ' ' -f 1) ;;
    *' 2 '*) ;;
    *) words= ;;
  esac
  case $cur in
    -*) COMPREPLY=($(compgen -W "$options" -- "$cur")) ;;
    *) COMPREPLY=($(compgen -W "$words" -- "$cur"))
       [ -n "$words" ] || COMPREPLY=($(compgen -f -- "$cur")) ;;
  esac
}
complete -o filenames -F _hbdx hbdx
]]

local function completion(cli)
  local cases = {}
  for i, name in ipairs(cli.names) do
    local command, options, choices = cli.command(name), {}, {}
    for _, list in ipairs { command.options, args.common } do
      for _, option in ipairs(list) do
        options[#options + 1] = "--" .. option.name
        if option.choices then
          choices[#choices + 1] = ("--%s:%s"):format(option.name, table.concat(option.choices, ","))
        end
      end
    end
    local words = name == "help" and table.concat(cli.names, " ") or command.words or ""
    cases[i] = ("    %s) options='%s'\n      choices='%s' words='%s' ;;"):format(name,
      table.concat(options, " "), table.concat(choices, " "), words)
  end
  return BASH:format(table.concat(cli.names, " "), table.concat(cases, "\n"))
end

return { {
  name = "help", usage = "[COMMAND]", summary = "Show the commands, or one of them.",
  options = {
    { name = "man", help = "write the man page" },
    { name = "completion", value = "SHELL", choices = { "bash" }, help = "write completions" },
  },
  run = function(given, operands)
    local cli = require "hbdx.cli"
    local command = operands[1] and cli.command(operands[1])
    if operands[1] and not command then
      require("hbdx.say").error(("there is no command '%s'%s"):format(operands[1],
        check.meant(operands[1], cli.names)))
      return 2
    end
    io.stdout:write(given.man and man(cli) or given.completion and completion(cli)
                    or command and args.help(command) or overview(cli))
    return 0
  end,
} }
