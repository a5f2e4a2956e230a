import { spawn } from 'node:child_process';

/** What curl says of one upload. */
export interface Upload {
  /** 0: everything went well. */
  readonly exitCode: number | null;
  readonly status: number;
  readonly body: string;
  readonly errors: string;
}

/** Sends so many bytes by curl over HTTP/2, without waiting for a "100 Continue". */
export async function uploadByCurl(
  url: string,
  bytes: number,
  args: readonly string[] = [],
): Promise<Upload> {
  const http2 = url.startsWith('https:') ? ['--http2', '--insecure'] : ['--http2-prior-knowledge'];
  const answer = ['--silent', '--show-error', '--max-time', '15', '--write-out', '\n%{http_code}'];
  const upload = ['--data-binary', '@-', '--header', 'expect:'];
  const curl = spawn('curl', [...http2, ...answer, ...upload, ...args, url]);
  let output = '';
  let errors = '';
  curl.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  curl.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  // It may end before it has read everything.
  curl.stdin.on('error', () => {}).end(Buffer.alloc(bytes, ' '));
  const exitCode = await new Promise<number | null>((resolve) => curl.once('close', resolve));
  const end = output.lastIndexOf('\n');
  const status = Number(output.slice(end + 1));
  return { exitCode, status, body: output.slice(0, end), errors };
}
