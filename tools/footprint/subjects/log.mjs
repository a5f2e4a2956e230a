// Copied into the dist/ of the repository that is measured; footprint.act() logs one event.
import { createLogger, fileSink } from '../libs/logx/src/index.js';

const log = createLogger({ sinks: [fileSink(process.argv[2])] });
globalThis.footprint = {
  async act() {
    log.information('{Count} items for {Customer}', 3, 'Ada');
    // Lines are written at the end of the turn.
    await new Promise((resolve) => setImmediate(resolve));
  },
};
setInterval(() => {}, 60_000);
console.log('ready');
