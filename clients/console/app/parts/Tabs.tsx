/** The sections of a view, each with its own address. */

interface TabsProps {
  readonly label: string
  readonly tabs: readonly { readonly href: string; readonly name: string; readonly current: boolean }[]
}

export function Tabs({ label, tabs }: TabsProps) {
  return (
    <nav class="tabs" aria-label={label}>
      <ul>
        {tabs.map(({ href, name, current }) => (
          <li key={href}>
            <a href={href} aria-current={current ? 'page' : undefined}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
