import { render } from 'preact'

const root = document.getElementById('app')
if (root) render(<h1>Forty Thieves Race</h1>, root)
