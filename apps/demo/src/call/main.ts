import { callCommand } from './call-command.js';

/** `npm run demo:call`: gRPC without another tool. */
process.exitCode = await callCommand(process.argv.slice(2), {
  print: (text) => void process.stdout.write(text),
  complain: (text) => void process.stderr.write(text),
});
