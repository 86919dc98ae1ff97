/** Types for the part of the package that we use. The package has none. */
declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  import type { ComponentType, createElement, ReactNode } from 'react'

  export type Props = {
    source?: string
    text?: ReactNode
    placeholder?: string
    'aria-label'?: string | undefined
    getComponent: (name: string, isContainer?: true) => ComponentType
  }
  type System = { React: { createElement: typeof createElement } }
  type Component = ComponentType<Props>

  export type Plugin = (system: System) => {
    components: Record<string, Component>
    wrapComponents: Record<string, (original: Component, system: System) => Component>
  }

  export default function SwaggerUI(options: { plugins: readonly Plugin[]; [name: string]: unknown }): void
}
