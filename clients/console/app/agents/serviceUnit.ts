/** The systemd unit of an agent. docs/agent.md has the same text. */

export const unitFile = '~/.config/systemd/user/signalbox-agent.service'

export const unit = `[Unit]
Description=Signalbox agent
After=network-online.target

[Service]
ExecStart=/usr/bin/node %h/signalbox-agent.mjs
KillMode=process
Restart=always
RestartSec=5
RestartPreventExitStatus=2 3

[Install]
WantedBy=default.target
`

export const serviceCommand = 'systemctl --user enable --now signalbox-agent && loginctl enable-linger'
