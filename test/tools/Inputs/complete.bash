# complete.bash SCRIPT LINE...: what the script completes command lines with. A
# line that ends in a blank has an empty last word.

source "$1"
shift

complete_line() {
  read -ra COMP_WORDS <<<"$1"
  [[ $1 == *' ' ]] && COMP_WORDS+=('')
  COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
  COMPREPLY=()
  _heddle
  echo "[$1]${COMPREPLY[*]:+ ${COMPREPLY[*]}}"
}

for line in "$@"; do
  complete_line "$line"
done
