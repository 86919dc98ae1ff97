type PageLinksProps = {
  routes: readonly { path: string; name: string }[]
  current: string | undefined
  className: string
}

export function PageLinks({ routes, current, className }: PageLinksProps) {
  return routes.map(({ path, name }) => (
    <li key={path}>
      <a href={path} aria-current={path === current ? 'page' : undefined} className={className}>
        {name}
      </a>
    </li>
  ))
}
