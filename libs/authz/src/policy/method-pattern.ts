/** Whether `/pkg.Service/Method`, or `/pkg.Service/*` for a whole service, means a method. */
export function coversMethod(pattern: string, fullName: string): boolean {
  return pattern.endsWith('/*') ? fullName.startsWith(pattern.slice(0, -1)) : fullName === pattern;
}
