import { isIPv4 } from 'node:net';

/** Whether what is sent to a host, a name or an address without brackets, does not leave this machine. */
export function isLoopback(host: string): boolean {
  // A name may begin like an address of this machine: 127.0.0.1.example.com.
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
}
