"""Class trees and forests of them on several views of the same samples (paper 003), and the views of its digits."""
