;;; emacs.el --- Drives eglot, Emacs's own client of the protocol -*- lexical-binding: t -*-

;; Each check prints one line; the first that fails ends it.
(unless (require 'eglot nil t)
  (princ "absent\n")
  (kill-emacs))
(require 'xref)

(defvar root (getenv "CATGRAPH_REPO"))
(define-derived-mode puppet-mode prog-mode "Puppet")
(define-derived-mode cfengine3-mode prog-mode "CFEngine")
(add-to-list 'auto-mode-alist '("\\.pp\\'" . puppet-mode))
(add-to-list 'auto-mode-alist '("\\.cf\\'" . cfengine3-mode))
(add-to-list 'eglot-server-programs
             `((puppet-mode cfengine3-mode) . (,(getenv "CATGRAPH") "lsp")))
(add-hook 'puppet-mode-hook #'eglot-ensure)
(add-hook 'cfengine3-mode-hook #'eglot-ensure)
(setq eglot-confirm-server-initiated-edits nil
      eglot-autoshutdown nil
      project-find-functions (list (lambda (_) (cons 'transient root))))

(defun say (&rest words)
  (princ (concat (mapconcat (lambda (one) (format "%s" one)) words " ") "\n")))

(defun wait (what found)
  (let ((end (+ (float-time) 60)) answer)
    (while (not (setq answer (funcall found)))
      (when (> (float-time) end) (error "Waited in vain: %s" what))
      (accept-process-output nil 0.05))
    answer))

(defun open (path)
  (switch-to-buffer (find-file-noselect (expand-file-name path root)))
  (run-hooks 'post-command-hook)
  (wait "the server" #'eglot-managed-p))

(defun find (text)
  "Move behind a text of the buffer."
  (goto-char (point-min))
  (search-forward text))

(defun diagnosed (code)
  "Return the first diagnostic with a code, nil if there is none."
  (flymake-start)
  (seq-find (lambda (one) (string-search code (flymake-diagnostic-text one)))
            (flymake-diagnostics)))

(defun check-diagnostics ()
  (open "modules/app/manifests/init.pp")
  (let ((cycle (wait "a cycle" (lambda () (diagnosed "[CG301]")))))
    (say "diagnostics" "CG301" (line-number-at-pos (flymake-diagnostic-beg cycle)))))

(defun check-jump ()
  (find "app::d")
  (xref-find-definitions (xref-backend-identifier-at-point 'eglot))
  (say "jump" (buffer-name) (line-number-at-pos) (current-column)))

(defun check-references ()
  (find "$po")
  (say "references"
       (mapconcat (lambda (one) (number-to-string (xref-location-line (xref-item-location one))))
                  (xref-backend-references 'eglot (xref-backend-identifier-at-point 'eglot)) " ")))

(defun check-rename ()
  (find "$po")
  (eglot-rename "number")
  (find "notice")
  (say "rename" (string-trim (thing-at-point 'line t))))

(defun check-typing ()
  "Half-written code after letters that UTF-16 counts twice."
  (goto-char (point-max))
  (insert "# 😀\nclass app::half { $e = '😀' notice('é")
  (save-buffer)
  (wait "an open quote" (lambda () (diagnosed "[UNCLOSED_QUOTE]")))
  (let ((open (diagnosed "[UNCLOSED_QUOTE]")))
    (say "quote" (buffer-substring (flymake-diagnostic-beg open) (flymake-diagnostic-end open))))
  (find "# 😀")
  (delete-region (line-beginning-position) (point-max))
  (save-buffer)
  (wait "no open quote" (lambda () (null (diagnosed "[UNCLOSED_QUOTE]"))))
  (say "typing" (line-number-at-pos (point-max))))

(defun check-complete ()
  (open "promises.cf")
  (find "cre")
  (let ((table (nth 2 (eglot-completion-at-point))))
    (say "complete" (substring-no-properties (car (all-completions "cre" table))))))

(condition-case problem
    (mapc #'funcall '(check-diagnostics check-jump check-references check-rename check-typing
                      check-complete))
  (error (say "failed" problem)))
