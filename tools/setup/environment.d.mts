export function npmEnvironment(given: NodeJS.ProcessEnv): NodeJS.ProcessEnv
export function programEnvironment(
  root: string,
  given: NodeJS.ProcessEnv,
  options?: { mode?: string | undefined; cwd?: string; parent?: NodeJS.ProcessEnv | undefined },
): NodeJS.ProcessEnv
export function memoryEnvironment(given: NodeJS.ProcessEnv): NodeJS.ProcessEnv
export function parentEnvironment(): NodeJS.ProcessEnv | undefined
