/** True if the name matches. A pattern is a name, or a prefix followed by `*`, as in a registry. */
export function matches(pattern: string, name: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern
}
