export function npmEnvironment(processEnv: NodeJS.ProcessEnv): NodeJS.ProcessEnv
export function programEnvironment(
  root: string,
  processEnv: NodeJS.ProcessEnv,
  options?: { mode?: string | undefined; cwd?: string; parent?: NodeJS.ProcessEnv | undefined },
): NodeJS.ProcessEnv
export function memoryEnvironment(processEnv: NodeJS.ProcessEnv): NodeJS.ProcessEnv
export function parentEnvironment(): NodeJS.ProcessEnv | undefined
