import type { ComponentChildren } from 'preact'

interface ScrollBoxProps {
  readonly class: string
  readonly label: string
  readonly wraps?: boolean
  readonly children: ComponentChildren
}

/**
 * A box whose content may be wider than the page. It is a group and not a region, because a page may have many boxes with the same label, and
 * each region must have a label of its own.
 */
export function ScrollBox({ class: className, label, wraps, children }: ScrollBoxProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for the fields of a form
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard
    <div class={className} role="group" data-wraps={wraps} aria-label={label} tabIndex={0}>
      {children}
    </div>
  )
}
