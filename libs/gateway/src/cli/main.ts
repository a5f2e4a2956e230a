#!/usr/bin/env node
import { writeFileSync } from 'node:fs';
import { openapiCommand } from './openapi-command.js';

process.exitCode = openapiCommand(process.argv.slice(2), {
  write: (file, text) => writeFileSync(file, text),
  print: (text) => void process.stdout.write(text),
  complain: (text) => void process.stderr.write(text),
});
