# Runs the program to the frame that holds its pools. What is printed before the line of equal signs is not compared.
set width 0
set height 0
set confirm off
set disable-randomization off
break game::look
run
up
echo ====\n

define view
  echo $arg0:\040
  output $arg0
  echo \n
end
