#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { authzCommand } from './authz-command.js';

process.exitCode = authzCommand(process.argv.slice(2), {
  read: (file) => readFileSync(file, 'utf8'),
  print: (text) => void process.stdout.write(text),
  complain: (text) => void process.stderr.write(text),
});
