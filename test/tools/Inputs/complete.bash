# complete.bash SCRIPT: what the script completes some command lines with. A
# line that ends in a blank has an empty last word.

source "$1"

complete_line() {
  read -ra COMP_WORDS <<<"$1"
  [[ $1 == *' ' ]] && COMP_WORDS+=('')
  COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
  COMPREPLY=()
  _heddle
  echo "[$1]${COMPREPLY[*]:+ ${COMPREPLY[*]}}"
}

complete_line 'heddle '
complete_line 'heddle co'
complete_line 'heddle run b'
complete_line 'heddle run bfs --st'
complete_line 'heddle run bfs graph.el --store '
complete_line 'heddle run bfs --threads 2 --lanes 8'
complete_line 'heddle run bfs gra'
complete_line 'heddle ooc '
complete_line 'heddle nonsense r'
