#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { gatewayCommand } from './gateway-command.js';

const manifest = new URL('../../package.json', import.meta.url);
const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { readonly version: string };

process.exitCode = await gatewayCommand(process.argv.slice(2), {
  version,
  print: (text) => void process.stdout.write(text),
  complain: (text) => void process.stderr.write(text),
});
