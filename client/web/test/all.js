/** Runs all tests in one process, because starting a process for each file takes longer than the tests. */
import { readdirSync } from 'node:fs'

const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
for (const path of files.filter((name) => name.endsWith('.test.js')).sort()) await import(`./${path}`)
