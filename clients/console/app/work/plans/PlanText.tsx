/** The text of a plan. It is Markdown, and is shown as it was written. */

export function PlanText({ text }: { readonly text: string }) {
  return <div class="plan-text">{text}</div>
}
