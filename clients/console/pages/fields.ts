/** The fields of the forms. Each has a place for its problem, which screen readers read with it. */
import type { PageMessages } from '../../../spec/messages/messages.ts'
import { type Html, html } from '../html.ts'

interface Field {
  readonly name: 'name' | 'email' | 'password'
  readonly label: string
  readonly type: 'text' | 'email' | 'password'
  /** Password managers recognize the field by this. */
  readonly autocomplete: string
  readonly hint?: string
  readonly autofocus?: boolean
  readonly after?: Html
}

function renderField({ name, label, type, autocomplete, hint, autofocus = false, after }: Field): Html {
  const described = hint === undefined ? `${name}-problem` : `${name}-hint ${name}-problem`
  // Pasted text is never truncated: a wrong length is reported.
  return html`<div class="field">
<label for="${name}">${label}</label>
<div class="input"><input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}" required aria-describedby="${described}" spellcheck="false" autocapitalize="${name === 'name' ? 'words' : 'none'}"${autofocus && html` autofocus`}>${after}</div>
${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}
<p class="problem" id="${name}-problem"></p>
</div>`
}

export function renderNameField({ fields }: PageMessages, autofocus: boolean): Html {
  return renderField({ name: 'name', label: fields.name, type: 'text', autocomplete: 'name', autofocus })
}

export function renderEmailField({ fields }: PageMessages, autofocus: boolean): Html {
  return renderField({ name: 'email', label: fields.email, type: 'email', autocomplete: 'username', autofocus })
}

function renderPasswordToggle({ fields }: PageMessages): Html {
  return html`<button type="button" class="reveal" id="reveal" aria-controls="password" aria-label="${fields.show}" title="${fields.show}" disabled><svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true" focusable="false"><path d="M2 12c2.6-4.4 6-6.6 10-6.6s7.4 2.2 10 6.6c-2.6 4.4-6 6.6-10 6.6S4.6 16.4 2 12z"/><circle cx="12" cy="12" r="3.2"/><path class="slash" d="M4 4l16 16"/></svg></button>`
}

export function renderPasswordField(messages: PageMessages): Html {
  const { fields } = messages
  return renderField({
    name: 'password',
    label: fields.password,
    type: 'password',
    autocomplete: 'current-password',
    after: renderPasswordToggle(messages),
  })
}

export function renderNewPasswordField(messages: PageMessages): Html {
  const { fields } = messages
  return renderField({
    name: 'password',
    label: fields.newPassword,
    type: 'password',
    autocomplete: 'new-password',
    hint: fields.passwordRule,
    after: renderPasswordToggle(messages),
  })
}
