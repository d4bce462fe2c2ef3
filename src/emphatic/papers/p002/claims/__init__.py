"""What paper 002 claims, judged problem by problem."""
