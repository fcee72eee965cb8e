{{- define "harbor.labels" -}}
app.kubernetes.io/name: harbor
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}
{{- define "harbor.metadata" -}}
name: {{ .Release.Name }}
labels:
  {{- include "harbor.labels" . | nindent 2 }}
{{- end }}
