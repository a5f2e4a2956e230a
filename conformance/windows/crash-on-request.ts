// Loaded before the demo: it throws where nobody catches once the file named by CRASH_FILE is there.
import { existsSync, rmSync } from 'node:fs';

const file = process.env['CRASH_FILE']!;
setInterval(() => {
  if (!existsSync(file)) return;
  rmSync(file);
  throw new Error('crashed as asked');
}, 100).unref();
