// Prints the URLs of all scripts that an import loads, as the debugger of V8 hears of them: modules
// and CommonJS alike, on every version of Node. Run as measure.mjs is.
import { Session } from 'node:inspector';

const session = new Session();
session.connect();
const urls = new Set();
let isTold = false;
session.on('Debugger.scriptParsed', ({ params: { url } }) => {
  if (isTold && url.startsWith('file:')) urls.add(url);
});
// Tells of all that is loaded already, before it returns.
session.post('Debugger.enable');
isTold = true;
await import(process.argv[1]);
process.stdout.write(JSON.stringify([...urls]), () => process.exit(0));
