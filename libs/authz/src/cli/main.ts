#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import type { ConditionLanguage } from '../conditions/condition-language.js';
import { authzCommand } from './authz-command.js';

/** Undefined without `@bufbuild/cel`: policies with conditions cannot be checked then, and the command says so. */
async function loadConditions(): Promise<ConditionLanguage | undefined> {
  try {
    const { celConditions } = await import('../conditions/cel-conditions.js');
    return celConditions();
  } catch {
    return undefined;
  }
}

async function run(): Promise<void> {
  const conditions = await loadConditions();
  process.exitCode = authzCommand(process.argv.slice(2), {
    read: (file) => readFileSync(file, 'utf8'),
    print: (text) => void process.stdout.write(text),
    complain: (text) => void process.stderr.write(text),
    conditions,
  });
}

void run();
