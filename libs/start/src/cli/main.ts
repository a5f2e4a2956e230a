#!/usr/bin/env node
import { dev } from './dev.js';

const [command, ...args] = process.argv.slice(2);
if (command === 'dev') {
  process.exitCode = await dev(args);
} else {
  process.stderr.write('start: use `apix-start dev`, with the options of `nest start`\n');
  process.exitCode = 2;
}
