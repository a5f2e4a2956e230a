#!/usr/bin/env node
const output = {
  print: (text: string) => void process.stdout.write(text),
  complain: (text: string) => void process.stderr.write(text),
};

try {
  const { ts } = await import('../npm-install/typescript.js');
  // From version 7 on, the compiler has no JavaScript API.
  if (typeof ts?.createSourceFile !== 'function') throw new TypeError('it has no createSourceFile');
  const { migrationCommand } = await import('./migration-command.js');
  process.exitCode = migrationCommand(process.argv.slice(2), output);
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error);
  output.complain(
    `apix-logx-from-nestjs-pino: cannot use typescript; run npm install --save-dev typescript@6: ${reason}\n`,
  );
  process.exitCode = 2;
}
