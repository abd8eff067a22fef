{{/* The name that all objects begin with. */}}
{{- define "forager.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 40 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 40 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "forager.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "forager.labels" -}}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{ include "forager.selector" . }}
{{- end }}

{{- define "forager.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{/* Nothing runs as root or gains rights, in any pod. */}}
{{- define "forager.container" -}}
allowPrivilegeEscalation: false
capabilities: {drop: [ALL]}
{{- end }}

{{/* The settings of whatever runs Forager: the web UI, and Ray's head and workers. */}}
{{- define "forager.environment" -}}
{{- if .Values.postgres.enabled }}
- name: POSTGRES_PASSWORD
  valueFrom: {secretKeyRef: {name: {{ .Values.secret }}, key: postgres-password}}
- name: FORAGER_DATABASE_URL
  value: postgresql://forager:$(POSTGRES_PASSWORD)@{{ include "forager.name" . }}-postgres:5432/forager
{{- else }}
- name: FORAGER_DATABASE_URL
  valueFrom: {secretKeyRef: {name: {{ .Values.secret }}, key: database-url}}
{{- end }}
{{- if .Values.chroma.enabled }}
- name: FORAGER_CHROMA_URL
  value: http://{{ include "forager.name" . }}-chroma:8000
{{- end }}
{{- if .Values.ray.enabled }}
- name: RAY_AUTH_MODE
  value: token
- name: RAY_AUTH_TOKEN
  valueFrom: {secretKeyRef: {name: {{ .Values.secret }}, key: ray-token}}
- name: GRPC_ENABLE_FORK_SUPPORT
  value: "0"
{{- end }}
{{- with .Values.blobs }}
- name: FORAGER_BLOBS
  value: {{ . | quote }}
{{- end }}
{{- range $name, $value := .Values.settings }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end }}

{{/* Chromium's sandbox needs system calls that the usual filter refuses. */}}
{{- define "forager.pod" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
fsGroupChangePolicy: OnRootMismatch
seccompProfile: {type: {{ ternary "Unconfined" "RuntimeDefault" .Values.browser.sandbox }}}
{{- end }}

{{- define "forager.claim" -}}
accessModes: [ReadWriteOnce]
{{- with .storageClass }}
storageClassName: {{ . }}
{{- end }}
resources: {requests: {storage: {{ .size }}}}
{{- end }}
