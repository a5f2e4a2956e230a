/**
 * Whether a host (a name, or an address without brackets) is this machine, so that traffic to it stays
 * here.
 */
export function isLoopback(host: string): boolean {
  // A name may begin like an address of this machine: 127.0.0.1.example.com.
  if (!host.startsWith('127.')) return host === 'localhost' || host === '::1';
  return process.getBuiltinModule('node:net').isIPv4(host);
}
